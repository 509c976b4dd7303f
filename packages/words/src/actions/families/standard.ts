import type { Draft } from '../action.ts'
import type { ActionFamily } from '../family.ts'
import { actorOf } from '../fields.ts'
import type { ActionKind } from '../kinds.ts'
import { readTemplate, type Template } from '../template.ts'
import { initiaWords } from './initiaWords.ts'
import { cosmosWords, settings } from './standardWords.ts'

const templates: ReadonlyMap<string, readonly [ActionKind, Template]> = new Map([
  ...[cosmosWords, initiaWords].flatMap((words) =>
    Object.entries(words).flatMap(([kind, byType]) =>
      Object.entries(byType).map(([type, template]): [string, [ActionKind, Template]] => [
        type,
        [kind as ActionKind, template],
      ]),
    ),
  ),
  ...Object.entries(settings).map(([module, name]): [string, [ActionKind, Template]] => [
    `${module}.MsgUpdateParams`,
    ['CHAIN_UPDATE', `Updated|update| the settings of the ${name} module`],
  ]),
])

/** Messages of standard modules, whose sentences have only their fields. */
export const standard: ActionFamily = {
  types: [...templates.keys()],
  read: ({ type, message }) => {
    const [kind, template] = templates.get(type) ?? []
    if (!kind || !template) return null
    return { actor: actorOf(message), ...readTemplate(kind, template, message) } satisfies Draft
  },
}
