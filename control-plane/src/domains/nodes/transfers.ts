import { TransferReport } from '@lodge/shared/direct-transfers.ts'
import type { Node } from '@lodge/shared/nodes.ts'
import type { NodeRow } from './tables.ts'

export function describeTransfers({ transferPort, transfers }: NodeRow): Node['transfers'] {
  const isOpen = transferPort !== null && transfers?.port === transferPort
  return {
    port: transferPort,
    open: isOpen,
    why: transferPort === null || isOpen ? null : (transfers?.why ?? null),
  }
}

/** Parses an agent's report of its transfer port; undefined if there is none or it is invalid. */
export function readTransfers(text: string | undefined): TransferReport | undefined {
  if (!text) return undefined
  try {
    // PostgreSQL cannot store NUL.
    const parsed = TransferReport.safeParse(JSON.parse(text.replaceAll('\\u0000', '')))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
