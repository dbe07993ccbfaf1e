import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { CodeHost } from '../../../support/code-host.ts'
import type { RealAgent } from '../../../support/real-agent.ts'
import { SmtpSink } from '../../../support/smtp-sink.ts'
import { DOCUMENT, type JoinedNode, startLodge } from '../../../support/stack.ts'
import { type FileServer, machineNode, natNetwork, serveFiles } from '../../../support/vm-world.ts'
import { layGround, type MatrixGround } from '../matrix-ground.ts'

/**
 * A panel with everything that an admitted call may need: nodes with real agents, a mail server, a
 * file server, open sign-up and self-service. Refused calls are made on the other panel, on which
 * nothing else happens.
 */
export interface EquippedGround extends MatrixGround, AsyncDisposable {
  readonly sink: SmtpSink
  readonly files: FileServer
  readonly codeHost: CodeHost
  /** Nodes that run machines, and can receive them. */
  readonly places: { readonly here: JoinedNode; readonly there: JoinedNode }
  readonly networkId: string
  /** Signs the first administrator in again, whose own calls may have ended the sessions. */
  readonly signInAgain: () => Promise<void>
}

/** The path of the document on the file server. */
export const DOCUMENT_PATH = '/template.json'

export async function layEquippedGround(): Promise<EquippedGround> {
  const files = await serveFiles()
  files.files.set(DOCUMENT_PATH, Buffer.from(JSON.stringify(DOCUMENT)))
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-matrix-'))
  const authority = path.join(folder, 'ca.pem')
  await writeFile(authority, files.authority)
  const codeHost = await CodeHost.listen()
  const lodge = await startLodge({
    environment: {
      LODGE_EGRESS_HOSTS: files.host,
      LODGE_EGRESS_CA: authority,
      LODGE_CODE_HOST: codeHost.address,
    },
  })
  const ground = await layGround(lodge)
  const admin = await lodge.admin()
  const sink = await new SmtpSink().listen()
  await admin.must('PUT /api/settings/mail', { body: sink.settings })
  await admin.must('PUT /api/settings/signup', {
    body: {
      mode: 'open',
      captcha: { provider: 'off', siteKey: null },
      terms: { required: false, termsUrl: null, privacyUrl: null },
    },
  })
  const limits = await admin.must('GET /api/limits/settings')
  await admin.must('PUT /api/limits/settings', { body: { ...limits, selfService: 'everyone' } })
  const [here, there] = [await machineNode(lodge), await machineNode(lodge)]
  const agents: RealAgent[] = [here.agent, there.agent]
  return {
    ...ground,
    sink,
    files,
    codeHost,
    places: { here: here.node, there: there.node },
    networkId: (await natNetwork(lodge)).id,
    async signInAgain() {
      admin.cookie = (await lodge.session(admin.id)).cookie
    },
    async [Symbol.asyncDispose]() {
      for (const agent of agents) await agent[Symbol.asyncDispose]()
      await lodge[Symbol.asyncDispose]()
      await sink[Symbol.asyncDispose]()
      await files[Symbol.asyncDispose]()
      await codeHost[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}
