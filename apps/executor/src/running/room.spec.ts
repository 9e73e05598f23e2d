import { Room } from './room.js';

const after = (ms: number, times = 500): Room => {
  const room = new Room(20);
  for (let n = 0; n < times; n++) room.performed(ms);
  return room;
};

describe('room for tasks that are taken ahead', () => {
  const placesOf = (slots: number, ms: number): number => {
    const room = new Room(slots);
    for (let n = 0; n < 500; n++) room.performed(ms);
    return room.free;
  };

  it('is what the slots perform within 50 ms, and more where they are few, as a claim costs the same for one', () => {
    expect(placesOf(20, 10)).toBe(120);
    expect(placesOf(2, 30)).toBe(12);
  });

  it('is a fifth of the slots for tasks that are not short', () => {
    expect(placesOf(20, 40)).toBe(24);
    expect(placesOf(2, 200)).toBe(3);
    expect(new Room(2).free).toBe(3);
    expect(new Room(20).free).toBe(24);
  });
});

describe('hand-outs that wait for room', () => {
  const full = (slots: number, ms: number): Room => {
    const room = new Room(slots);
    for (let n = 0; n < 500; n++) room.performed(ms);
    room.take(room.free);
    return room;
  };
  const entering = (room: Room, ...wanted: number[]): number[] => {
    const entered: number[] = [];
    for (const count of wanted) void room.until(count).then(() => entered.push(count));
    return entered;
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('are let in together where slots are few and tasks short, once half of the places are free', async () => {
    const room = full(2, 30);
    const entered = entering(room, 2, 3);
    room.give(5);
    await settled();
    expect(entered).toEqual([]);
    room.give(1);
    await settled();
    expect(entered).toEqual([2, 3]);
  });

  it('are let in one by one elsewhere, each when it has its places', async () => {
    const room = full(20, 10);
    const entered = entering(room, 2, 3);
    room.give(2);
    await settled();
    expect(entered).toEqual([2]);
    room.give(1);
    await settled();
    expect(entered).toEqual([2, 3]);
  });
});

describe('room for executions that run little', () => {
  it('is what the slots take up within a second, at most one for each slot', () => {
    expect(after(100).reserve).toBe(20);
    expect(after(2_000).reserve).toBe(10);
  });

  it('is a fifth of the slots however long tasks take, as a claimed task must not wait for long', () => {
    expect(after(600_000).reserve).toBe(4);
    expect(new Room(1).reserve).toBe(1);
  });

  it('becomes less by what was taken beyond the places for all', () => {
    const room = after(2_000);
    room.take(24);
    expect(room.free).toBe(0);
    expect(room.reserve).toBe(10);
    room.take(7);
    expect(room.reserve).toBe(3);
    room.give(31);
    expect(room.reserve).toBe(10);
  });
});
