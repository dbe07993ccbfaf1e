// The parts of noVNC 1.7 that the panel uses; the package has no types.
declare module '@novnc/novnc' {
  export default class RFB extends EventTarget {
    constructor(target: HTMLElement, channel: WebSocket, options?: { shared?: boolean })
    scaleViewport: boolean
    clipViewport: boolean
    dragViewport: boolean
    viewOnly: boolean
    focusOnClick: boolean
    background: string
    disconnect(): void
    focus(): void
    blur(): void
    sendCtrlAltDel(): void
    /** Without `down` the key is pressed and released. */
    sendKey(keysym: number, code: string | null, down?: boolean): void
    toDataURL(type?: string): string
    toBlob(callback: (blob: Blob | null) => void, type?: string): void
  }
}
