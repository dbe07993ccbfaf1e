import { DriverError } from '@lodge/driver/driver.ts'
import { registryOf } from '@lodge/shared/templates/registries.ts'

export interface Reference {
  /** Exact registry host with port, such as `docker.io` or `registry.example:5000`. */
  readonly host: string
  /** Everything before the tag or digest, in the form the engine expects. */
  readonly repository: string
  /** A tag, or a digest such as `sha256:…`. */
  readonly version: string
}

const SHAPE =
  /^(?<repository>[a-zA-Z0-9][a-zA-Z0-9.-]*(?::\d{1,5})?(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*)(?::(?<tag>\w[\w.-]{0,127}))?(?:@(?<digest>sha256:[a-f0-9]{64}))?$/

/**
 * Parses a reference such as `ghcr.io/games/server:1`. The first part is a registry only if it
 * looks like a host; everything else is on Docker Hub. Throws `invalid_spec`.
 */
export function parseReference(text: string): Reference {
  const match = /^([^@]*?)(?::(\w[\w.-]{0,127}))?(?:@(sha256:[a-f0-9]{64}))?$/.exec(text)
  const repository = match?.[1]
  if (!match || !repository || !SHAPE.test(text)) {
    throw new DriverError('invalid_spec', 'The image has a name that cannot be used.')
  }
  return {
    host: registryOf(repository),
    repository,
    version: match[3] ?? match[2] ?? 'latest',
  }
}
