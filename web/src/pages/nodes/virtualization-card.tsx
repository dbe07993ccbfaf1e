import type { Node } from '@lodge/shared/nodes.ts'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'

/** Whether a node accepts virtual machines, what they need there, and how to fix what is missing. */
export function VirtualizationCard({ node }: { node: Node }) {
  const missing = useMissing()('nodes.manage')
  const change = useAct('PATCH /api/nodes/{id}/virtualization', ['GET /api/nodes/{id}'])
  const { enabled, emulationAllowed, found } = node.virtualization
  const offline = node.state === 'offline' ? `${node.name} is not connected` : undefined
  const why = missing ?? offline
  const put = (body: { enabled: boolean; emulationAllowed?: boolean }): void =>
    change.mutate({ params: { id: node.id }, body })
  if (found === null)
    return (
      <Card title="Virtual machines">
        <Empty title="This node runs containers only">
          Its agent found no libvirt. Install libvirt and QEMU on it, then restart the agent.
        </Empty>
      </Card>
    )
  return (
    <Card title="Virtual machines">
      <Column gap={14}>
        <Row gap={6}>
          <Pill tone={found.available ? 'ok' : 'err'}>
            {found.available ? 'Ready' : 'Not ready'}
          </Pill>
          <Pill tone={found.kvm ? 'ok' : 'warn'}>{found.kvm ? 'KVM' : 'No KVM'}</Pill>
          <Text small muted>
            libvirt {found.libvirtVersion}, QEMU {found.qemuVersion}
          </Text>
        </Row>
        {found.available ? null : <Text>{found.why}</Text>}
        <SwitchField
          label="Takes new virtual machines"
          description={why}
          value={enabled}
          disabled={why !== undefined || change.isPending}
          onChange={(next) => put({ enabled: next })}
        />
        <SwitchField
          label="Also without KVM"
          description={
            found.kvm ? 'KVM works here, so this changes nothing' : `Slow. ${found.kvmWhy}`
          }
          value={emulationAllowed}
          disabled={why !== undefined || change.isPending}
          onChange={(next) => put({ enabled, emulationAllowed: next })}
        />
        {change.error ? <ProblemNote error={change.error} /> : null}
        <Text small muted>
          What virtual machines need here is among the{' '}
          <Link to={paths.nodeChecks} params={{ id: node.id }}>
            checks
          </Link>
          .
        </Text>
      </Column>
    </Card>
  )
}
