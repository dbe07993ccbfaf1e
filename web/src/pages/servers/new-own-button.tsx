import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { whyNoServer } from './create/own/quota.ts'

/** The way to a new server of one's own; while there is none, the button says why. */
export function NewOwnButton() {
  const options = useQuery({ ...q('GET /api/me/servers/options'), staleTime: 60_000 })
  const blocked = options.data && whyNoServer(options.data)
  // A host that creates all servers is no news to anybody.
  if (!options.data || options.data.selfService === 'off') return null
  if (blocked !== undefined)
    return (
      <Button kind="primary" icon={<Plus />} disabledBecause={blocked}>
        New server
      </Button>
    )
  return (
    <LinkButton to={paths.newServer} kind="primary" icon={<Plus />}>
      New server
    </LinkButton>
  )
}
