import { randomUUID } from 'node:crypto'
import type { ServerEvent, Exit as WireExit } from '@lodge/proto/server.ts'
import { isMachine, type WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { ServerEvent as SharedEvent } from '@lodge/shared/servers.ts'
import type { CrashDecision } from './crash.ts'
import type { Memory } from './memory.ts'

export interface EventDetails {
  readonly reason: string
  /** When it happened, if not now. */
  readonly atMs?: number
  readonly exit?: Memory['lastExit']
  readonly restart?: Extract<CrashDecision, { kind: 'restart' }>
  readonly lastLines?: readonly string[]
}

/** One history entry of a server, as sent on the wire. */
export function serverEvent(
  serverId: string,
  kind: SharedEvent['kind'],
  atMs: number,
  details: EventDetails,
): ServerEvent {
  return {
    eventId: randomUUID(),
    serverId,
    kind,
    at: new Date(atMs),
    exit: details.exit ? wireExit(details.exit) : undefined,
    reason: details.reason,
    restartAttempt: details.restart?.attempt ?? 0,
    restartOf: details.restart?.of ?? 0,
    restartWaitSeconds: details.restart?.waitSeconds ?? 0,
    lastLines: [...(details.lastLines ?? [])],
  }
}

export function wireExit(exit: NonNullable<Memory['lastExit']>): WireExit {
  return {
    code: exit.code ?? undefined,
    signal: exit.signal ?? undefined,
    outOfMemory: exit.outOfMemory,
    cause: exit.cause,
    at: new Date(exit.atMs),
  }
}

/** Masks the spec's secrets in lines that are stored or shown outside the console. */
export function withoutSecrets(
  lines: readonly string[],
  spec: WorkloadSpec | null | undefined,
): string[] {
  if (!spec || isMachine(spec)) return [...lines]
  const secrets = spec.secretNames
    .map((name) => spec.environment[name] ?? spec.install?.environment[name] ?? '')
    .filter((value) => value.length >= 4)
  return lines.map((line) =>
    secrets.reduce((text, secret) => text.replaceAll(secret, '••••'), line),
  )
}
