// Checks whether a Docker engine answers.
import http from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

const startWithinMs = 60_000

/** The kernel's limit on socket paths, in bytes. */
export const longestSocketPath = 107

/** Waits until an engine answers; false when it takes too long or `isRunning` returns false. */
export async function comesUp(socket, isRunning = () => true) {
  const deadline = Date.now() + startWithinMs
  while (Date.now() < deadline && isRunning()) {
    if (await answers(socket)) return true
    await pause(100)
  }
  return false
}

/** Whether an engine answers a ping and permits access. */
export function answers(socket) {
  if (Buffer.byteLength(socket) > longestSocketPath) return false
  return new Promise((resolve) => {
    const ping = http.get({ socketPath: socket, path: '/_ping', timeout: 3_000 }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    ping.on('timeout', () => ping.destroy())
    ping.on('error', () => resolve(false))
  })
}
