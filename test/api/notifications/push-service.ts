import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { testAuthority } from '../../../agent/src/testing/authority.fixture.ts'
import { Receiver } from './receiver.ts'

/** Stands in for the push service of a browser's maker: HTTPS with an authority of its own. */
export async function startPushService() {
  const { certificate, leaf } = await testAuthority('localhost')
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-push-'))
  const caFile = path.join(folder, 'ca.pem')
  await writeFile(caFile, certificate)
  const receiver = await new Receiver(leaf).listen()
  return {
    receiver,
    /** Settings of a Lodge that can reach it. */
    environment: { LODGE_CHANNEL_HOSTS: receiver.host, LODGE_EGRESS_CA: caFile },
    async [Symbol.asyncDispose]() {
      await receiver[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}
