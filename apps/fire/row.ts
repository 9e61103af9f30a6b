export type Scale = 'short' | 'full'
export type Outcome = { holds: boolean; figures: Record<string, string | number> }

/** A test of one promise under one kind of fault. It is a row of the result table. */
export type Row = { id: string; promise: string; run(scale: Scale): Promise<Outcome> }

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
