import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'

export interface RegistryCredential {
  readonly username: string
  readonly password: string
}

const DockerConfig = z.object({
  auths: z.record(
    z.string(),
    z.object({
      auth: z.string().optional(),
      username: z.string().optional(),
      password: z.string().optional(),
    }),
  ),
})

/**
 * Looks up user and password for a registry host (`docker.io`, `registry.example:5000`) in a file
 * in the format of `docker login`. Read on every call, so that a changed password needs no restart.
 * @throws Error whose message names the fault and never the file's content
 */
export async function registryCredential(
  file: string,
  host: string,
): Promise<RegistryCredential | undefined> {
  const auths = await readAuths(file)
  const found = Object.entries(auths).find(([name]) => hostOf(name) === host)?.[1]
  if (!found) return undefined
  const { username, password } = found
  if (username && password) return { username, password }
  const decoded = Buffer.from(found.auth ?? '', 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon <= 0) throw new Error(`${file} holds no usable password for ${host}`)
  return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) }
}

/** Throws an Error that says why the file cannot be used. */
export async function checkRegistryConfig(file: string): Promise<void> {
  await readAuths(file)
}

async function readAuths(file: string) {
  const facts = await stat(file).catch(() => undefined)
  if (!facts?.isFile()) throw new Error(`${file} cannot be read`)
  if ((facts.mode & 0o077) !== 0) {
    throw new Error(`${file} holds passwords and others may read it: chmod 600 it`)
  }
  const parsed = DockerConfig.safeParse(parseJson(await readFile(file, 'utf8')))
  if (!parsed.success) throw new Error(`${file} is not a file as docker login writes it`)
  return parsed.data.auths
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** `docker login` calls Docker Hub `https://index.docker.io/v1/`. */
function hostOf(name: string): string {
  const host = name.replace(/^https?:\/\//, '').replace(/\/.*$/, '')
  return host === 'index.docker.io' || host === 'registry-1.docker.io' ? 'docker.io' : host
}
