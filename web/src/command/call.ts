/** One call of the API as data, so that it can be shown before it is made. */
export interface Call {
  /** Method and path as declared, e.g. `POST /api/servers/{id}/actions`. */
  readonly key: string
  /** The path with its parameters and query. */
  readonly url: string
  readonly body?: unknown
}
