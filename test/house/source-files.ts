import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** One hand-written source file; `path` and `imports` are relative to the repository. */
export interface SourceFile {
  path: string
  text: string
  lineCount: number
  imports: Import[]
}

export interface Import {
  /** As written: `node:fs`, `zod`, `./access.ts`, `@lodge/shared/units.ts`. */
  specifier: string
  /** The imported file, if it is one of ours: `shared/src/units.ts`. */
  target: string | undefined
  /** True when the whole statement is `import type` or `export type`. */
  typeOnly: boolean
}

const root = path.resolve(import.meta.dirname, '../..')
/** Where the packages of this repository keep their exported files. */
const packages: Record<string, string> = {
  '@lodge/shared/': 'shared/src/',
  '@lodge/proto/': 'proto/gen/lodge/fleet/v1/',
  '@lodge/driver/': 'drivers/contract/src/',
  '@lodge/driver-docker/': 'drivers/docker/src/',
  '@lodge/driver-fake/': 'drivers/fake/src/',
  '@lodge/control-plane/api': 'control-plane/src/api.ts',
  '@lodge/agent/': 'agent/src/',
}
const statements =
  /(?:^|\n)\s*(?:import|export)\s+(type\s)?(?:[^'"\n;]*?(?:\{[^}]*\})?[^'"\n;]*?\sfrom\s+)?['"]([^'"\n]+)['"]/g
const dynamic = /\bimport\(\s*['"]([^'"]+)['"]/g

/** Every TypeScript and JavaScript file that git tracks or would add, except generated ones. */
export function sourceFiles(): SourceFile[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root })
  return listed
    .toString()
    .split('\n')
    .filter((file) => /\.(ts|tsx|mts|mjs|js)$/.test(file) && !file.startsWith('proto/gen/'))
    .filter((file) => existsSync(path.join(root, file)))
    .map(readSource)
}

function readSource(file: string): SourceFile {
  const text = readFileSync(path.join(root, file), 'utf8')
  return {
    path: file,
    text,
    lineCount: text.split('\n').length - 1,
    imports: importsOf(file, text),
  }
}

/** The imports of one file, found by their text. */
export function importsOf(file: string, text: string): Import[] {
  const found = [
    ...[...text.matchAll(statements)].map((match) => ({ specifier: match[2]!, type: match[1] })),
    ...[...text.matchAll(dynamic)].map((match) => ({ specifier: match[1]!, type: undefined })),
  ]
  return found.map(({ specifier, type }) => ({
    specifier,
    target: targetOf(file, specifier),
    typeOnly: type !== undefined,
  }))
}

function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return path.join(path.dirname(file), specifier)
  const known = Object.keys(packages).find((name) => specifier.startsWith(name))
  return known && packages[known]! + specifier.slice(known.length)
}
