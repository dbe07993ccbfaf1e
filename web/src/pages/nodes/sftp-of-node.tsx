import type { Node } from '@lodge/shared/nodes.ts'
import { saidReason } from '../../panel/said.ts'
import { Copyable } from '../../ui/data/copy.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { t } from './words.ts'

/**
 * A port that the agent of a node listens on itself, instead of the route through the control plane.
 */
export function OwnPort({ port, open, why }: Node['transfers']) {
  if (port === null) return t.throughPanel
  if (open) return <Text>{t.portOpen({ port: String(port) })}</Text>
  return (
    <span>
      {rich(
        t.portNotOpen({
          why: why === null ? t.portNotYet : saidReason(why),
          state: (text) => <Pill tone="err">{text}</Pill>,
        }),
      )}
    </span>
  )
}

/** Where the files of this node's servers are served, and the node's host keys. */
export function SftpOfNode({ sftp: { hostKeys, ...port } }: { sftp: Node['sftp'] }) {
  const [first] = hostKeys
  if (!port.open || !first) return <OwnPort {...port} />
  return (
    <Column gap={4}>
      <OwnPort {...port} />
      <Copyable value={first.fingerprint} label={t.copyFingerprint} />
    </Column>
  )
}
