import type { Duplex } from 'node:stream'
import { fileHeaders, SFTP_PATH, SFTP_PROTOCOL } from '@lodge/shared/files.ts'
import {
  type ChannelEnds,
  connectChannel,
  refuseChannel,
  type ServerChannel,
} from '@lodge/shared/local/ssh/channel.ts'
import { Problem } from '../../problem.ts'
import type { Services } from '../../services.ts'
import { rightsMark } from '../servers/index.ts'
import type { Admitted } from './admission.ts'
import { sessionKeyOf } from './live.ts'

/**
 * Connects a channel to the file service of the server's node, which implements SFTP. Never throws.
 */
export async function channelOf(
  services: Services,
  { user, server, reach }: Admitted,
  channel: ServerChannel,
  ends: ChannelEnds,
): Promise<void> {
  let stream: Duplex
  try {
    stream = await services.fleet.openStream({
      nodeId: server.nodeId,
      serverId: server.id,
      kind: 'sftp',
      service: 'files',
      path: SFTP_PATH,
      protocol: SFTP_PROTOCOL,
      headers: fileHeaders(reach.rules, reach.may),
      userKey: user.id,
      sessionKey: sessionKeyOf(user.id),
      ...(server.rights && { rights: rightsMark(server.rights) }),
      writes: reach.may.length > 1,
      gone: ends.gone,
    })
  } catch (error) {
    if (!(error instanceof Problem)) services.log.warn({ err: error }, 'could not open SFTP')
    const why = error instanceof Problem ? error.message : 'The node could not be reached'
    refuseChannel(channel, why)
    return
  }
  connectChannel(channel, stream, ends)
}
