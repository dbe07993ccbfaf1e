import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { Checks, isReady } from '../nodes/checks.tsx'
import { JoinCard } from '../nodes/join-card.tsx'
import { NodeForm } from '../nodes/node-form.tsx'
import { Steps } from './steps.tsx'

const POLL_MS = 3_000

/** Second step of the set-up: this machine is a node already, or another one joins. */
export default function FirstNodePage() {
  const nodes = useQuery({
    ...q('GET /api/nodes', { query: { limit: 10 } }),
    refetchInterval: POLL_MS,
  })
  const [other, setOther] = useState(false)
  const node = nodes.data?.items.find(isReady) ?? nodes.data?.items[0]
  const ready = node !== undefined && isReady(node)
  return (
    <Page
      title="Your first node"
      lead="A node is a machine that runs servers. Its memory, CPU and disk are detected."
    >
      <Steps now={1} />
      <Loaded query={nodes}>
        {() =>
          node === undefined || other ? (
            <Card title="The machine">
              <NodeForm onDone={() => setOther(false)} />
            </Card>
          ) : node.state === 'enrolling' ? (
            <JoinCard node={node} />
          ) : (
            <Card title={ready ? `${node.name} is ready` : `${node.name} is getting ready`}>
              <Checks node={node} />
            </Card>
          )
        }
      </Loaded>
      <Row gap={12}>
        <LinkButton
          kind="primary"
          size="large"
          to={paths.setUpServer}
          disabled={!ready}
          aria-disabled={!ready || undefined}
        >
          Create first server
        </LinkButton>
        <Text small muted>
          {ready ? '' : 'Goes on as soon as the checks are through.'}
        </Text>
      </Row>
    </Page>
  )
}
