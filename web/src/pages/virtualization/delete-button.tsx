import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { useAct } from '../../query.ts'
import { IconButton } from '../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'

const EFFECTS = {
  media: 'Its file and the copies on nodes go too.',
  networks: 'Its addresses are free for another network.',
  profiles: 'It cannot be chosen for a machine any more.',
} as const

interface DeleteButtonProps {
  what: keyof typeof EFFECTS
  row: { readonly id: string; readonly name: string }
  disabledBecause: string | undefined
}

/** Deletes one catalogue entry; if machines use it, names them instead. */
export function DeleteButton({ what, row, disabledBecause }: DeleteButtonProps) {
  const [asking, setAsking] = useState(false)
  const remove = useAct(`DELETE /api/virtualization/${what}/{id}`, [
    'GET /api/virtualization/catalogue',
  ])
  return (
    <>
      <IconButton
        label={`Delete ${row.name}`}
        disabledBecause={disabledBecause}
        onClick={() => setAsking(true)}
      >
        <Trash2 />
      </IconButton>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={`Delete ${row.name}?`}
        verb="Delete"
        onConfirm={() => remove.mutateAsync({ params: { id: row.id } })}
      >
        {EFFECTS[what]}
      </ConfirmDialog>
    </>
  )
}
