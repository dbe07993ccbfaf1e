/** What is used of gamedig, which has no types of its own. */
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
