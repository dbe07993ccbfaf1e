import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'
import { agentFile } from './agent-files.ts'
import { installScript } from './install-script.ts'

/**
 * What machines reach on the fleet port without a credential: enrolment, and the script, agent and
 * runtime that turn a machine into a node. None of it is secret.
 */
export function agentRouter(
  app: FastifyInstance,
  agentFolder: string,
): (request: IncomingMessage, response: ServerResponse) => void {
  const runtime = `/agent/node-${process.platform}-${process.arch}`
  const download = (url: string) => {
    if (url === runtime) return process.execPath
    return url.startsWith('/agent/')
      ? agentFile(agentFolder, url.slice('/agent/'.length))
      : undefined
  }
  return (request, response) => {
    const { url = '/', method, headers } = request
    const file = method === 'GET' ? download(url) : undefined
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
