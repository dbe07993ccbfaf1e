import type { FastifyReply } from 'fastify'
import { savedAs } from '../../../http/saved-as.ts'
import { drawPaper } from './draw.ts'
import type { Paper } from './paper.ts'

/** Answers with a paper as a file to keep. */
export async function sendPaper(reply: FastifyReply, paper: Paper): Promise<void> {
  const bytes = await drawPaper(paper)
  // Numbers have letters, digits and dashes only.
  await reply
    .type('application/pdf')
    .header('cache-control', 'private, no-store')
    .headers(savedAs('attachment', `${paper.number}.pdf`))
    .send(bytes)
}
