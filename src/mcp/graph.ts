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

/** What is asked of the graph. */
export interface GraphRequest {
  readonly query: string
  readonly variables?: Readonly<Record<string, unknown>> | undefined
}

/** A graph that tools read for one client: in this process, or at a URL. Neither method rejects. */
export interface Graph {
  query(request: GraphRequest): Promise<GraphAnswer>
  /** A query that the client wrote itself. It may cost less than those of tools. */
  foreignQuery(request: GraphRequest): Promise<GraphAnswer>
  /**
   * The last event of a subscription: the one for which `isLast` is true or after which it ended, or the newest
   * one after that many milliseconds.
   */
  watch(
    request: GraphRequest,
    options: { milliseconds: number; isLast: (answer: GraphAnswer) => boolean },
  ): Promise<GraphAnswer>
}
