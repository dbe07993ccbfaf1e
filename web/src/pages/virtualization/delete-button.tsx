import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { useAct } from '../../query.ts'
import { IconButton } from '../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { t } from './words.ts'

const effects = () => ({
  media: t.effectMedia,
  networks: t.effectNetwork,
  profiles: t.effectProfile,
})

interface DeleteButtonProps {
  what: 'media' | 'networks' | 'profiles'
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
        label={t.deleteOne({ name: row.name })}
        disabledBecause={disabledBecause}
        onClick={() => setAsking(true)}
      >
        <Trash2 />
      </IconButton>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t.deleteTitle({ name: row.name })}
        verb={t.delete}
        onConfirm={() => remove.mutateAsync({ params: { id: row.id } })}
      >
        {effects()[what]}
      </ConfirmDialog>
    </>
  )
}
