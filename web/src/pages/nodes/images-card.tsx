import { whyNodeCannot } from '@lodge/shared/node-abilities.ts'
import type { Node } from '@lodge/shared/nodes.ts'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'

/** The disk space of container images on a node, with a button to remove unused ones. */
export function ImagesCard({ node }: { node: Node }) {
  const missing = useMissing()('nodes.manage')
  const free = useAct('POST /api/nodes/{id}/images/free', ['GET /api/jobs'])
  const check = node.preflight.find(({ id }) => id === 'images')
  if (!check) return null
  const offline = node.connectedSince === null ? `${node.name} is not connected` : undefined
  return (
    <Card
      title="Images"
      actions={
        <Button
          busy={free.isPending}
          disabledBecause={missing ?? whyNodeCannot(node, 'container', 'images') ?? offline}
          onClick={() =>
            free.mutate(
              { params: { id: node.id } },
              {
                onSuccess: () =>
                  toastDone(
                    'Unused images are being removed',
                    <Link to={paths.jobs}>See the job</Link>,
                  ),
                onError: (error) => toastRefused('No image was removed', error),
              },
            )
          }
        >
          Remove unused
        </Button>
      }
    >
      <Column gap={6}>
        <Text>{check.summary}.</Text>
        <Text small muted>
          Unused images are removed after 14 days, or sooner when the disk is nearly full. A server
          that needs one again downloads it again.
        </Text>
      </Column>
    </Card>
  )
}
