import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '../paths.ts'
import { q } from '../query.ts'
import { useMay } from '../session/session.ts'
import { serverWord } from '../ui/data/status.tsx'
import { CommandPalette, type PaletteCommand } from '../ui/dialogs/palette.tsx'
import { usePlaces } from './navigation.tsx'

const CREATIONS = [
  { to: paths.newServer, label: 'New server', needs: 'servers.create' },
  { to: paths.newNode, label: 'Add node', needs: 'nodes.manage' },
  { to: paths.newTemplate, label: 'Import template', needs: 'templates.manage' },
  { to: paths.newCustomer, label: 'New customer', needs: 'customers.manage' },
] as const

/** Commands of the palette: pages, things to create, and servers by name. */
export default function Palette() {
  const navigate = useNavigate()
  const may = useMay()
  const groups = usePlaces()
  const [text, setText] = useState('')
  const found = useQuery({
    ...q('GET /api/servers', { query: { q: text, limit: 8 } }),
    enabled: text.trim() !== '',
  })

  const pages: PaletteCommand[] = groups.flatMap((group) =>
    group.places.map((place) => ({
      id: place.to,
      group: 'Go to',
      label: place.label,
      run: () => void navigate({ to: place.to }),
    })),
  )
  const creations: PaletteCommand[] = CREATIONS.filter(({ needs }) => may(needs)).map(
    ({ to, label }) => ({ id: to, group: 'Create', label, run: () => void navigate({ to }) }),
  )
  const servers: PaletteCommand[] = (found.data?.items ?? []).flatMap((server) => [
    {
      id: server.id,
      group: 'Servers',
      label: server.name,
      description: `${serverWord(server.status)} · ${server.nodeName}`,
      run: () => void navigate({ to: paths.server, params: { id: server.id } }),
    },
    {
      id: `${server.id} console`,
      group: 'Servers',
      label: `${server.name}: ${server.kind === 'vm' ? 'screen' : 'console'}`,
      run: () =>
        void navigate({
          to: server.kind === 'vm' ? paths.serverScreen : paths.serverConsole,
          params: { id: server.id },
        }),
    },
  ])
  return <CommandPalette commands={[...pages, ...creations, ...servers]} onSearch={setText} />
}
