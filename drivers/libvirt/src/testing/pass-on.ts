import { createConnection, type NetConnectOpts, type Socket } from 'node:net'

/** Joins a connection with another one, which ends with it. */
export function passOn(from: Socket, place: NetConnectOpts): void {
  const to = createConnection({ ...place, noDelay: true } as NetConnectOpts)
  from.pipe(to)
  to.pipe(from)
  for (const [one, other] of [
    [from, to],
    [to, from],
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
}
