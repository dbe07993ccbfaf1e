import { type DragEvent, useRef, useState } from 'react'
import { rowPathOf, type Selection } from './use-selection.ts'

/** Data type of paths that are dragged within the panel. */
const OWN = 'application/x-lodge-files'

export interface Drops {
  readonly folder: string
  readonly selection: Selection
  /** Whether a path is a folder. */
  readonly isFolder: (path: string) => boolean
  readonly canWrite: boolean
  readonly onFiles: (data: DataTransfer, into: string) => void
  readonly onMove: (paths: readonly string[], into: string) => void
}

/** Accepts dropped files and folders from outside, and rows that are moved by dragging. */
export function useDrops({ folder, selection, isFolder, canWrite, onFiles, onMove }: Drops) {
  const [over, setOver] = useState<string>()
  const marked = useRef<HTMLElement>(null)
  const mark = (element: HTMLElement | null): void => {
    if (marked.current === element) return
    delete marked.current?.dataset.drop
    marked.current = element
    if (element) element.dataset.drop = ''
  }
  const leave = (): void => {
    mark(null)
    setOver(undefined)
  }
  /** The folder below the pointer: a row, a breadcrumb, otherwise the current one. */
  const targetOf = (event: DragEvent): { into: string; element: HTMLElement | null } => {
    const element = event.target as HTMLElement
    const crumb = element.closest<HTMLElement>('[data-folder]')
    if (crumb) return { into: crumb.dataset.folder ?? folder, element: crumb }
    const path = rowPathOf(element)
    if (path === undefined || !isFolder(path)) return { into: folder, element: null }
    return { into: path, element: element.closest('tr') }
  }
  const isOwn = (event: DragEvent): boolean => event.dataTransfer.types.includes(OWN)
  const isFiles = (event: DragEvent): boolean =>
    event.dataTransfer.types.some((type) => /^Files$/.test(type))
  return {
    /** The folder that dragged files would go to; undefined while none are dragged. */
    over,
    handlers: {
      onDragStart: (event: DragEvent) => {
        const path = rowPathOf(event.target)
        if (path === undefined || !canWrite) return
        const paths = selection.ids.has(path) ? [...selection.ids] : [path]
        event.dataTransfer.setData(OWN, JSON.stringify(paths))
        event.dataTransfer.effectAllowed = 'move'
      },
      onDragOver: (event: DragEvent) => {
        if (!canWrite || (!isOwn(event) && !isFiles(event))) return
        const { into, element } = targetOf(event)
        if (isOwn(event) && into === folder) return mark(null)
        event.preventDefault()
        event.dataTransfer.dropEffect = isOwn(event) ? 'move' : 'copy'
        mark(element)
        if (isFiles(event) && !isOwn(event)) setOver(into)
      },
      onDragLeave: (event: DragEvent) => {
        const next = event.relatedTarget
        if (!(next instanceof Node && event.currentTarget.contains(next))) leave()
      },
      onDragEnd: leave,
      onDrop: (event: DragEvent) => {
        if (!canWrite || (!isOwn(event) && !isFiles(event))) return
        event.preventDefault()
        const { into } = targetOf(event)
        leave()
        if (isOwn(event)) {
          const paths: readonly string[] = JSON.parse(event.dataTransfer.getData(OWN))
          const moving = paths.filter((path) => path !== into)
          if (into !== folder && moving.length > 0) onMove(moving, into)
        } else onFiles(event.dataTransfer, into)
      },
    },
  }
}
