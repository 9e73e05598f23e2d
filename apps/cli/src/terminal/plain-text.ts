/** Text of others for a terminal: nothing in it moves the cursor, changes a colour or breaks the line. */
export const plainText = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
