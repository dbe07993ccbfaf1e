import { createSpotlight, Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight'
import './modal.css'
import '@mantine/spotlight/styles.layer.css'
import './palette.css'
import { useEffect } from 'react'
import { onOpenPalette } from './palette-store.ts'

export interface PaletteCommand {
  readonly id: string
  readonly group: string
  readonly label: string
  readonly description?: string
  readonly run: () => void
}

const [store, controls] = createSpotlight()

/** The command palette; opens when first rendered, then by Ctrl K or ⌘ K. */
export function CommandPalette({
  commands,
  onSearch,
}: {
  commands: readonly PaletteCommand[]
  onSearch: (text: string) => void
}) {
  useEffect(() => {
    controls.open()
    return onOpenPalette(controls.open)
  }, [])
  const groups = [...new Set(commands.map((command) => command.group))].map(
    (group): SpotlightActionGroupData => ({
      group,
      actions: commands
        .filter((command) => command.group === group)
        .map(({ id, label, description, run }) => ({
          id,
          label,
          onClick: run,
          ...(description === undefined ? {} : { description }),
        })),
    }),
  )
  return (
    <Spotlight
      store={store}
      actions={groups}
      shortcut={['mod + K']}
      onQueryChange={onSearch}
      nothingFound="Nothing found"
      scrollable
      overlayProps={{ blur: 0, backgroundOpacity: 0.45 }}
      maxHeight={420}
      searchProps={{
        placeholder: 'Search servers, pages, commands',
        'aria-label': 'Search servers, pages, commands',
      }}
    />
  )
}
