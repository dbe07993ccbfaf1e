import { z } from 'zod'

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
/** A path below the program's folder; no part of it leads out of there. */
const FilePath = z
  .string()
  .max(200)
  .regex(/^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/)

/** A program of the agent: what it consists of, for a node that replaces its own by it. */
export const AgentManifest = z.strictObject({
  version: z.string().max(50),
  architecture: z.enum(['x64', 'arm64']),
  /** SHA-256 of the list of its files, in the format of sha256sum. */
  build: Sha256,
  files: z.array(z.strictObject({ path: FilePath, sha256: Sha256 })).max(200),
  /** SHA-256 of the runtime; null: the node keeps its own. */
  runtime: Sha256.nullable(),
})
export type AgentManifest = z.infer<typeof AgentManifest>

/** The list of a program's files, in the format of sha256sum; its SHA-256 is the build. */
export const fileListOf = (files: AgentManifest['files']): string =>
  files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('')
