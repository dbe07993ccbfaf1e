import type { Node } from '@lodge/shared/nodes.ts'
import { Copyable } from '../../ui/data/copy.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { t } from './words.ts'

/** Where customers reach the files of this node's servers, and how the node proves itself. */
export function SftpOfNode({ sftp: { port, open, why, hostKeys } }: { sftp: Node['sftp'] }) {
  if (port === null) return t.sftpThroughPanel
  if (!open)
    return (
      <span>
        {rich(
          t.sftpNotOpen({
            why: why ?? t.sftpNotYet,
            state: (text) => <Pill tone="err">{text}</Pill>,
          }),
        )}
      </span>
    )
  const [first] = hostKeys
  return (
    <Column gap={4}>
      <Text>{t.sftpOpen({ port: String(port) })}</Text>
      {first && <Copyable value={first.fingerprint} label={t.copyFingerprint} />}
    </Column>
  )
}
