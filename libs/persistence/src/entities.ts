/** TypeORM entities: the tables that are read and written plainly, away from the path of a child. */
export const entities: (new () => object)[] = [];
