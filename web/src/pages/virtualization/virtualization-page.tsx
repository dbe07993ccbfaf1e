import { useQuery } from '@tanstack/react-query'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Column } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { MediaCard } from './media-card.tsx'
import { NetworksCard } from './networks-card.tsx'
import { ProfilesCard } from './profiles-card.tsx'

/** The catalogue of virtual machines: media, hardware profiles and networks. */
export default function VirtualizationPage() {
  const missing = useMissing()('virtualization.manage')
  const catalogue = useQuery({
    ...q('GET /api/virtualization/catalogue'),
    // A new medium is still being checked.
    refetchInterval: (query) =>
      query.state.data?.media.some(({ state }) => state === 'checking' || state === 'uploading')
        ? 2_000
        : false,
  })
  return (
    <Page
      title="Virtualization"
      lead="What is not offered is kept for the machines that have it and given to no new one. What is released, customers may take by themselves."
    >
      <Loaded query={catalogue} lines={8}>
        {(found) => (
          <Column>
            {found.available ? null : (
              <Note
                tone="warn"
                title="No node takes virtual machines now"
                action={
                  <LinkButton to={paths.nodes} size="small">
                    Open nodes
                  </LinkButton>
                }
              >
                The page of each node says what it lacks and how to mend it.
              </Note>
            )}
            <MediaCard media={found.media} missing={missing} />
            <ProfilesCard profiles={found.profiles} missing={missing} />
            <NetworksCard networks={found.networks} missing={missing} />
          </Column>
        )}
      </Loaded>
    </Page>
  )
}
