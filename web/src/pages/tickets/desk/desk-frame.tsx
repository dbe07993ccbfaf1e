import { Outlet, useMatch, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { useNarrow } from '../../../ui/page/use-narrow.ts'
import styles from './desk.module.css'
import { TicketList } from './list/ticket-list.tsx'
import { usePaneTop } from './use-pane-top.ts'

/** The list of the desk beside the open ticket; on a phone one of the two. */
export default function DeskFrame() {
  const search = useSearch({ from: '/in/admin/desk' })
  const open = useMatch({ from: '/in/admin/desk/$id', shouldThrow: false })?.params.id
  const isNarrow = useNarrow()
  const panes = useRef<HTMLDivElement>(null)
  usePaneTop(panes)
  return (
    <div ref={panes} className={styles.desk}>
      {isNarrow && open !== undefined ? null : <TicketList search={search} open={open} />}
      {isNarrow && open === undefined ? null : <Outlet />}
    </div>
  )
}
