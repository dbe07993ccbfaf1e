import { Tiles } from '../../../../ui/choices/tiles.tsx'

interface TemplateTilesProps<T> {
  templates: readonly T[]
  chosen: string
  onChoose: (templateId: string) => void
}

/** The choice of a template. */
export function TemplateTiles<T extends { id: string; name: string; description: string }>({
  templates,
  chosen,
  onChoose,
}: TemplateTilesProps<T>) {
  return (
    <Tiles
      legend="Template"
      items={templates}
      keyOf={({ id }) => id}
      chosen={chosen}
      onChoose={onChoose}
    >
      {({ name, description }) => (
        <>
          <b>{name}</b>
          <small>{description || 'No description'}</small>
        </>
      )}
    </Tiles>
  )
}
