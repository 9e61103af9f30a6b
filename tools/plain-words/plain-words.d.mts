export function faultIn(comment: string): string | null
export function commentsIn(source: string, isLua?: boolean): { line: number; text: string }[]
export function check(
  files: { path: string; source: string }[],
  allowed: string[],
): { faults: string[]; unused: string[] }
