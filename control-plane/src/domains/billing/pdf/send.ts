import type { FastifyReply } from 'fastify'
import { savedAs } from '../../../http/saved-as.ts'
import { drawPaper } from './draw.ts'
import type { Paper } from './paper.ts'

/** Sends a paper as a download. */
export async function sendPaper(reply: FastifyReply, paper: Paper): Promise<void> {
  const bytes = await drawPaper(paper)
  // Safe in a file name: numbers consist of letters, digits and dashes.
  await reply
    .type('application/pdf')
    .header('cache-control', 'private, no-store')
    .headers(savedAs('attachment', `${paper.number}.pdf`))
    .send(bytes)
}
