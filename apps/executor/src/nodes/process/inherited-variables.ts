/** What a process inherits of the executor's own environment; nothing else may leak into it. */
export const inheritedVariables = ['PATH', 'HOME', 'LANG', 'TMPDIR'];
