import { createReadStream, existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'
import { installScript } from './install-script.ts'

/** The bundled agent, if this installation has one to hand out. */
export const agentProgram = (folder: string): string | undefined => {
  const file = path.join(folder, 'agent/src/main.js')
  return existsSync(file) ? file : undefined
}

/**
 * What machines reach at the agents' port without a credential: enrolment, and the script, program
 * and runtime with which a new machine becomes a node. Nothing of it is secret.
 */
export function agentDoor(
  app: FastifyInstance,
  agentFolder: string,
): (request: IncomingMessage, response: ServerResponse) => void {
  const downloads: Readonly<Record<string, () => string | undefined>> = {
    '/agent/program': () => agentProgram(agentFolder),
    [`/agent/node-${process.platform}-${process.arch}`]: () => process.execPath,
  }
  return (request, response) => {
    const { url = '/', method, headers } = request
    const file = method === 'GET' ? downloads[url]?.() : undefined
    if (url.startsWith('/api/agent/')) app.routing(request, response)
    else if (url === '/agent/install' && method === 'GET') {
      const text = installScript(headers.host ?? '')
      response.writeHead(text ? 200 : 400, { 'content-type': 'text/x-shellscript; charset=utf-8' })
      response.end(text)
    } else if (file) send(file, response).catch(() => response.destroy())
    else response.writeHead(404, { 'content-type': 'text/plain' }).end('Only agents connect here\n')
  }
}

async function send(file: string, response: ServerResponse): Promise<void> {
  const { size } = await stat(file)
  response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size })
  await pipeline(createReadStream(file), response)
}
