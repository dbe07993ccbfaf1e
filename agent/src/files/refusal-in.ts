import type http from 'node:http'
import { text } from 'node:stream/consumers'
import { FileProblem } from '@lodge/shared/files.ts'
import { FileRefusal } from './refusal.ts'

/** The refusal that an answer of the file service is. */
export async function refusalIn(response: http.IncomingMessage): Promise<FileRefusal> {
  const { code, detail } = FileProblem.parse(JSON.parse(await text(response)))
  return new FileRefusal(code, detail)
}
