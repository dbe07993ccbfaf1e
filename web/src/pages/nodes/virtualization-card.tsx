import type { Node } from '@lodge/shared/nodes.ts'
import { Link } from '@tanstack/react-router'
import { saidReason } from '../../panel/said.ts'
import { paths } from '../../paths.ts'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { t } from './words.ts'

/** Whether a node accepts virtual machines, what they need there, and how to fix what is missing. */
export function VirtualizationCard({ node }: { node: Node }) {
  const missing = useMissing()('nodes.manage')
  const change = useAct('PATCH /api/nodes/{id}/virtualization', ['GET /api/nodes/{id}'])
  const { enabled, emulationAllowed, found } = node.virtualization
  const offline = node.state === 'offline' ? t.notConnected({ node: node.name }) : undefined
  const why = missing ?? offline
  const put = (body: { enabled: boolean; emulationAllowed?: boolean }): void =>
    change.mutate({ params: { id: node.id }, body })
  if (found === null)
    return (
      <Card title={t.machines}>
        <Empty title={t.containersOnly}>{t.containersOnlyText}</Empty>
      </Card>
    )
  return (
    <Card title={t.machines}>
      <Column gap={14}>
        <Row gap={6}>
          <Pill tone={found.available ? 'ok' : 'err'}>
            {found.available ? t.machinesReady : t.machinesNotReady}
          </Pill>
          <Pill tone={found.kvm ? 'ok' : 'warn'}>{found.kvm ? t.kvm : t.noKvm}</Pill>
          <Text small muted>
            {t.versions({ libvirt: found.libvirtVersion, qemu: found.qemuVersion })}
          </Text>
        </Row>
        {found.available ? null : <Text>{saidReason(found.why)}</Text>}
        <SwitchField
          label={t.takesMachines}
          description={why}
          value={enabled}
          disabled={why !== undefined || change.isPending}
          onChange={(next) => put({ enabled: next })}
        />
        <SwitchField
          label={t.withoutKvm}
          description={found.kvm ? t.kvmIsHere : t.slow({ why: saidReason(found.kvmWhy) })}
          value={emulationAllowed}
          disabled={why !== undefined || change.isPending}
          onChange={(next) => put({ enabled, emulationAllowed: next })}
        />
        {change.error ? <ProblemNote error={change.error} /> : null}
        <Text small muted>
          {rich(
            t.machineChecks({
              link: (text) => (
                <Link to={paths.nodeChecks} params={{ id: node.id }}>
                  {text}
                </Link>
              ),
            }),
          )}
        </Text>
      </Column>
    </Card>
  )
}
