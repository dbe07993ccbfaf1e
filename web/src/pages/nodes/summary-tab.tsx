import { formatOpening } from '@lodge/shared/network-opening.ts'
import type { Node } from '@lodge/shared/nodes.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { saidReason, why } from '../../panel/said.ts'
import { paths } from '../../paths.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { formatMib } from '../../ui/data/numbers.ts'
import { Ago, Since } from '../../ui/data/time.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Card, Facts } from '../../ui/page/card.tsx'
import { Column, Grid, Text } from '../../ui/page/layout.tsx'
import { capacitiesOf, marksInWords } from './capacity.ts'
import { CapacityBar } from './capacity-bar.tsx'
import { checkName, groupsOf } from './check-groups.ts'
import { CordonCause } from './cordon-note.tsx'
import { FailoverCard } from './failover-card.tsx'
import { ImagesCard } from './images-card.tsx'
import { LossCard } from './loss-card.tsx'
import { NodeForm } from './node-form.tsx'
import { OwnPort, SftpOfNode } from './sftp-of-node.tsx'
import { useNode } from './use-node.ts'
import { VirtualizationCard } from './virtualization-card.tsx'
import { t } from './words.ts'

/** A node's capacity, its usage, and its problems. */
export default function SummaryTab() {
  const node = useNode()
  return (
    <Column gap={24}>
      <BrokenChecks node={node} />
      <CapacityCard node={node} />
      <Grid least={340} gap={16} top>
        <Details node={node} />
        <Column>
          <VirtualizationCard node={node} />
          <LossCard node={node} />
          <FailoverCard node={node} />
          <ImagesCard node={node} />
        </Column>
      </Grid>
    </Column>
  )
}

function BrokenChecks({ node }: { node: Node }) {
  const { broken } = groupsOf(node)
  const [first] = broken
  if (!first) return null
  return (
    <Note
      tone="err"
      title={
        broken.length === 1
          ? t.brokenCheck({ check: checkName(first.id), summary: saidReason(first.summary) })
          : t.brokenChecks({ count: broken.length })
      }
      action={
        <Link to={paths.nodeChecks} params={{ id: node.id }}>
          {t.viewChecks}
        </Link>
      }
    >
      {broken.length === 1 ? why(first.remedy) : broken.map(({ id }) => checkName(id)).join(', ')}
    </Note>
  )
}

function CapacityCard({ node }: { node: Node }) {
  const missing = useMissing()('nodes.manage')
  const [editing, setEditing] = useState(false)
  const close = () => setEditing(false)
  const capacities = capacitiesOf(node)
  return (
    <Card
      title={t.capacity}
      actions={
        <Button
          size="small"
          kind="quiet"
          disabledBecause={missing}
          onClick={() => setEditing(true)}
        >
          {t.changeLimits}
        </Button>
      }
    >
      <Column>
        <Grid least={240} gap={24} top>
          {capacities.map((capacity) => (
            <CapacityBar key={capacity.field} capacity={capacity} />
          ))}
        </Grid>
        <Text small muted>
          {node.headroomMb === 0
            ? t.nothingReserved
            : t.reserved({ amount: formatMib(node.headroomMb) })}{' '}
          {marksInWords(capacities)}
        </Text>
      </Column>
      <Dialog title={t.editTitle({ node: node.name })} opened={editing} onClose={close} wide>
        <NodeForm node={node} limits onDone={close} />
      </Dialog>
    </Card>
  )
}

/** The kinds of servers that a node accepts, in words. */
function canRun({ capabilities }: Node): string {
  if (capabilities.length === 0) return t.notKnown
  const machines = capabilities.includes('machine')
  if (capabilities.includes('container')) return machines ? t.runsBoth : t.runsContainers
  return machines ? t.runsMachines : t.runsNothing
}

function Details({ node }: { node: Node }) {
  const ports = node.portRanges.map(({ from, to }) => (from === to ? from : `${from}–${to}`))
  return (
    <Card title={t.details}>
      <Facts
        rows={[
          [
            t.address,
            node.address === null ? (
              <Text key="address" faint>
                {t.none}
              </Text>
            ) : (
              <Text key="address" mono>
                {node.address}
              </Text>
            ),
          ],
          [t.runs, canRun(node)],
          [t.servers, node.allocated.servers],
          ...(node.cordon === null
            ? []
            : [[t.newServers, <CordonCause key="cordon" cordon={node.cordon} />] as const]),
          [
            t.ports,
            <Text key="ports" mono>
              {ports.join(', ') || t.none}
            </Text>,
          ],
          [t.sftp, <SftpOfNode key="sftp" sftp={node.sftp} />],
          [t.transfers, <OwnPort key="transfers" {...node.transfers} />],
          [t.openNetworks, node.openNetworks.map(formatOpening).join(', ') || t.onlyPublic],
          [
            t.connectedFor,
            node.connectedSince ? (
              <Since key="since" at={node.connectedSince} />
            ) : (
              t.notConnectedNow
            ),
          ],
          [t.added, <Ago key="added" at={node.createdAt} />],
        ]}
      />
    </Card>
  )
}
