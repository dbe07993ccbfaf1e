/** The part of gamedig that the agent uses; the package has no types of its own. */
declare module 'gamedig' {
  export class GameDig {
    query(options: {
      readonly type: string
      readonly host: string
      readonly port: number
      readonly givenPortOnly: boolean
      readonly portCache: boolean
      readonly maxRetries: number
      readonly socketTimeout: number
      readonly attemptTimeout: number
    }): Promise<{
      readonly numplayers?: unknown
      readonly maxplayers?: unknown
      readonly players?: unknown
    }>
  }
}
