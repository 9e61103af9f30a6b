/** What a format's reader is told beside the bytes. */
export type Reading = { name: string; onPage?: (done: number, of: number) => void }
