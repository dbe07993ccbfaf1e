import { whyNodeCannot } from '@lodge/shared/node-abilities.ts'
import type { Node } from '@lodge/shared/nodes.ts'
import { Link } from '@tanstack/react-router'
import { saidReason, why } from '../../panel/said.ts'
import { paths } from '../../paths.ts'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

/** The disk space of container images on a node, with a button to remove unused ones. */
export function ImagesCard({ node }: { node: Node }) {
  const missing = useMissing()('nodes.manage')
  const free = useAct('POST /api/nodes/{id}/images/free', ['GET /api/jobs'])
  const check = node.preflight.find(({ id }) => id === 'images')
  if (!check) return null
  const offline = node.connectedSince === null ? t.notConnected({ node: node.name }) : undefined
  return (
    <Card
      title={t.images}
      actions={
        <Button
          busy={free.isPending}
          disabledBecause={missing ?? why(whyNodeCannot(node, 'container', 'images')) ?? offline}
          onClick={() =>
            free.mutate(
              { params: { id: node.id } },
              {
                onSuccess: () =>
                  toastDone(t.imagesRemoving, <Link to={paths.jobs}>{t.viewJob}</Link>),
                onError: (error) => toastRefused(t.imagesNotRemoved, error),
              },
            )
          }
        >
          {t.removeImages}
        </Button>
      }
    >
      <Column gap={6}>
        <Text>{t.imagesSummary({ summary: saidReason(check.summary) })}</Text>
        <Text small muted>
          {t.imagesText}
        </Text>
      </Column>
    </Card>
  )
}
