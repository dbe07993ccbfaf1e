import { SftpSignIn, SftpStanding, SftpStandings, SftpVerdict } from '@lodge/shared/sftp-nodes.ts'
import { z } from 'zod'
import { post } from '../../http/endpoint.ts'
import { judgeSignIn, lookAtConnections } from './node-access.ts'

export const judgeSftpSignIn = post('/api/agent/sftp/sign-ins', {
  summary: 'Whether somebody may reach the files of a server of this node by SFTP',
  access: { who: 'agent' },
  body: SftpSignIn,
  reply: SftpVerdict,
  handle: ({ ctx, body }) => judgeSignIn(ctx, body),
})

export const lookAtSftp = post('/api/agent/sftp/standings', {
  summary: 'What the people who are connected to this node by SFTP may do by now',
  access: { who: 'agent' },
  body: SftpStandings,
  reply: z.object({ items: z.array(SftpStanding) }),
  handle: async ({ ctx, body }) => ({ items: await lookAtConnections(ctx, body) }),
})
