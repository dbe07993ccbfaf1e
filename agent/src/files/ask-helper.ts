import http from 'node:http'
import type { Duplex } from 'node:stream'
import { refusalIn } from './refusal-in.ts'

/**
 * Asks the file service of a server for something that the agent itself wants.
 * @throws {FileRefusal}
 */
export function askHelper(
  socket: Duplex,
  path: string,
  body: string,
  headers: http.OutgoingHttpHeaders = {},
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = http.request({
      createConnection: () => socket,
      method: 'POST',
      path,
      headers,
    })
    request.on('error', reject).on('response', (response) => {
      if ((response.statusCode ?? 0) < 300) resolve(response)
      else refusalIn(response).then(reject, reject)
    })
    request.end(body)
  })
}
