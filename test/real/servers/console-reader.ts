import WebSocket from 'ws'
import type { Machine } from '../support/machine.ts'

/** A client of a server's console through control plane and agent. */
export interface ConsoleReader {
  readonly socket: WebSocket
  /** The numbers at the beginning of the lines, in the order they arrived. */
  readonly numbers: number[]
  readonly missedBytes: number
  /** Stops reading without closing. */
  stopReading(): void
  close(): void
}

const NUMBER = /^(\d{10}) /

/** Opens a console with a fresh ticket; resolves when it is connected. */
export async function openReader({ admin }: Machine, serverId: string): Promise<ConsoleReader> {
  const { ticket, url, protocol } = await admin.must('POST /api/servers/{id}/console-ticket', {
    params: { id: serverId },
    body: {},
  })
  const address = new URL(url, admin.origin.replace('http', 'ws'))
  const socket = new WebSocket(address, [protocol, `ticket.${ticket}`], {
    headers: { origin: admin.origin, cookie: admin.cookie },
    perMessageDeflate: false,
  })
  const numbers: number[] = []
  let missedBytes = 0
  let rest = ''
  socket.on('error', () => undefined)
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) {
      const message = JSON.parse(data.toString())
      if (message.type === 'missed') missedBytes += message.bytes
      return
    }
    socket.send(JSON.stringify({ type: 'ack', bytes: data.byteLength }))
    const lines = (rest + data.toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const number = NUMBER.exec(line)?.[1]
      if (number) numbers.push(Number(number))
    }
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('close', (code) => reject(new Error(`the console was closed: ${code}`)))
  })
  return {
    socket,
    numbers,
    get missedBytes() {
      return missedBytes
    },
    stopReading: () => socket.pause(),
    close: () => socket.terminate(),
  }
}

/** How many lines do not follow the previous one. */
export function gaps(numbers: readonly number[]): number {
  return numbers.filter((number, at) => at > 0 && number !== (numbers[at - 1] ?? 0) + 1).length
}
