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
import { t } from './words.ts'

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
    <Page title={t.yourNode} lead={t.yourNodeLead}>
      <Steps now={1} />
      <Loaded query={nodes}>
        {() =>
          node === undefined || other ? (
            <Card title={t.machine}>
              <NodeForm onDone={() => setOther(false)} />
            </Card>
          ) : node.state === 'enrolling' ? (
            <JoinCard node={node} />
          ) : (
            <Card
              title={ready ? t.ready({ node: node.name }) : t.gettingReady({ node: node.name })}
            >
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
          {t.createServer}
        </LinkButton>
        <Text small muted>
          {ready ? '' : t.waits}
        </Text>
      </Row>
    </Page>
  )
}
