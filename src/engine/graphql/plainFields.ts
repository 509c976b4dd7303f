import {
  type FieldKind,
  RootFieldBuilder,
  type SchemaTypes,
  type ShapeFromTypeParam,
  type TypeParam,
} from '@pothos/core'
import type { Awaitable } from '../../kit/awaitable.ts'

/** What a resolver without arguments reads of what it is called with. */
type Resolved<Types extends SchemaTypes, Shape> = [shape: Shape, args: object, context: Types['Context']]

/** Turns a reader of something else into a resolver: of a record, say, that is loaded when a field needs it. */
type Through<Types extends SchemaTypes, Shape, Known extends unknown[]> = <T>(
  read: (...known: Known) => T,
) => (...resolved: Resolved<Types, Shape>) => Awaitable<T>

/** Adds a field of a type of the graph, with what describes it and what reads it from what is known of its object. */
type Add<Types extends SchemaTypes, Known extends unknown[], Kind extends FieldKind, IsNullable extends boolean> = <
  Type extends TypeParam<Types>,
>(
  type: Type,
  description: string,
  read: (...known: Known) => Awaitable<ShapeFromTypeParam<Types, Type, IsNullable>>,
  extensions?: Readonly<Record<string, unknown>>,
) => PothosSchemaTypes.FieldRef<Types, unknown, Kind>

/** The kinds of plain fields. They have no arguments and cost one point. Whatever else a field needs, `t.field` has. */
interface PlainFields<Types extends SchemaTypes, Known extends unknown[], Kind extends FieldKind> {
  /** A field that is never null. */
  value: Add<Types, Known, Kind, false>
  /** A field that can be null. */
  nullable: Add<Types, Known, Kind, true>
  /** A field that is null if its value is unknown. It is described without its null. */
  ifKnown: Add<Types, Known, Kind, true>
}

declare global {
  export namespace PothosSchemaTypes {
    export interface RootFieldBuilder<Types extends SchemaTypes, ParentShape, Kind extends FieldKind = FieldKind>
      extends PlainFields<Types, Resolved<Types, ParentShape>, Kind> {
      /** Plain fields whose readers get what `through` passes to them. */
      through<Known extends unknown[]>(through: Through<Types, ParentShape, Known>): PlainFields<Types, Known, Kind>
    }
  }
}

type Builder = PothosSchemaTypes.RootFieldBuilder<SchemaTypes, unknown>

// TypeScript does not resolve the type of Pothos' resolvers for a generic type of the graph.
const methods: Pick<Builder, keyof PlainFields<SchemaTypes, [], FieldKind> | 'through'> & ThisType<Builder> = {
  value(type, description, read, extensions = {}) {
    return this.field({ type, description, extensions, resolve: read as never })
  },
  nullable(type, description, read, extensions = {}) {
    return this.field({ type, nullable: true, description, extensions, resolve: read as never })
  },
  ifKnown(type, sentence, read, extensions) {
    return this.nullable(type, `${sentence} Null if unknown.`, read, extensions)
  },
  through(through) {
    return {
      value: (type, text, read, more) => this.value(type, text, through(read) as never, more),
      nullable: (type, text, read, more) => this.nullable(type, text, through(read) as never, more),
      ifKnown: (type, text, read, more) => this.ifKnown(type, text, through(read) as never, more),
    }
  },
}

// Plugins of Pothos add their kinds of fields in the same way.
Object.assign(RootFieldBuilder.prototype, methods)
