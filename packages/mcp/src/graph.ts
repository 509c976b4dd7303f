/** The answer of the graph to a query, or to one event of a subscription. */
export interface GraphAnswer {
  readonly data?: Readonly<Record<string, unknown>> | null | undefined
  readonly errors?: readonly GraphProblem[] | undefined
}

/** An error of the graph, in the form of GraphQL over HTTP. */
export interface GraphProblem {
  readonly message: string
  readonly path?: readonly (string | number)[] | undefined
  readonly extensions?: Readonly<Record<string, unknown>> | undefined
}

/** An operation that is sent to the graph. */
export interface GraphRequest {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>> | undefined
}

/** A graph that tools read for one client: in this process, or at a URL. No method rejects. A signal ends it. */
export interface Graph {
  query(request: GraphRequest, signal?: AbortSignal): Promise<GraphAnswer>
  /** A query that the client wrote itself. It may cost less than those of tools. */
  foreignQuery(request: GraphRequest, signal?: AbortSignal): Promise<GraphAnswer>
  /**
   * Reads a subscription until it ends, `isLast` is true for an event, or that many milliseconds have passed.
   * Resolves to the last event that it read.
   */
  watch(
    request: GraphRequest,
    options: { milliseconds: number; isLast: (answer: GraphAnswer) => boolean; signal?: AbortSignal },
  ): Promise<GraphAnswer>
}
