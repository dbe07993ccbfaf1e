import type http from 'node:http'
import { FileRules } from '@lodge/shared/file-rules.ts'
import { FilePath, FileRight, MAY_HEADER, RULES_HEADER } from '@lodge/shared/files.ts'
import { z } from 'zod'
import { FileRefusal } from '../refusal.ts'
import { Access } from './access.ts'

/** A work document names up to a thousand long paths. */
const MAX_JSON = 16 * 1024 * 1024

/** One request of the file service, as its handlers see it. */
export interface Ask {
  readonly request: http.IncomingMessage
  readonly response: http.ServerResponse
  readonly query: URLSearchParams
  /** Aborts when the other end hangs up. */
  readonly signal: AbortSignal
}

export interface Handler {
  readonly method: string
  readonly path: RegExp
  /** @param id the part of the path that the expression captures */
  run(ask: Ask, id: string): Promise<void> | void
}

export const invalidRequest = (why: string) => new FileRefusal('invalid_file_request', why)

/** The rights and rules of a request. Without them it may do nothing at all. */
export function accessOf({ headers }: http.IncomingMessage): Access {
  const may = z.array(FileRight).safeParse(header(headers, MAY_HEADER)?.split(',').filter(Boolean))
  const rules = FileRules.safeParse(parsed(header(headers, RULES_HEADER) ?? ''))
  if (!may.success || !rules.success)
    throw invalidRequest('The request does not say what it may do.')
  return new Access(rules.data, may.data)
}

export function header(headers: http.IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

export function pathOf(query: URLSearchParams): string {
  return checkedPath(query.get('path') ?? '')
}

export function pathsOf(query: URLSearchParams): string[] {
  const paths = query.getAll('path').map(checkedPath)
  if (paths.length === 0) throw invalidRequest('The request names no path.')
  return paths
}

function checkedPath(text: string): string {
  const path = FilePath.safeParse(text)
  if (path.success) return path.data
  throw new FileRefusal('invalid_path', 'The path has to be absolute, without . and ..')
}

/** The JSON document in the body. */
export async function bodyAs<T>(request: http.IncomingMessage, schema: z.ZodType<T>): Promise<T> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size > MAX_JSON) throw invalidRequest('The document is too large.')
    parts.push(part)
  }
  const result = schema.safeParse(parsed(Buffer.concat(parts).toString()))
  if (result.success) return result.data
  const issue = result.error.issues[0]
  throw invalidRequest(`${issue?.path.join('.') || 'The document'}: ${issue?.message}`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function answer(response: http.ServerResponse, status: number, document: unknown): void {
  const text = Buffer.from(JSON.stringify(document))
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': text.byteLength,
  })
  response.end(text)
}
