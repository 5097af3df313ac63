//! Histogram of the gaps of tested pairs and counts by verdict, so that a starved regime shows.

/// Counts of one regime.
#[derive(Default)]
pub struct Census {
    pub tried: usize,
    pub apart: usize,
    /// Pairs within 1e-5 of the size of touching.
    pub touching: usize,
    pub deep: usize,
    /// Pairs whose verdict needed exact arithmetic.
    pub shared: usize,
    /// Reported pairs that share no point, and the largest of their distances as a fraction of the
    /// size.
    pub excess: usize,
    pub farthest: f64,
    /// Largest fraction of the stated slack in use.
    pub slack_used: f64,
    /// Decades of |gap| / size: below 1e-12, ..., above 1; first overlapping, then separate pairs.
    decades: [[usize; DECADES]; 2],
}

const DECADES: usize = 14;

/// Fraction of the size below which a gap counts as touching.
pub const NEAR: f64 = 1e-5;

impl Census {
    /// Counts a pair of signed `gap / size`.
    pub fn note(&mut self, share: f64) {
        self.tried += 1;
        let verdict = match share {
            s if s > NEAR => &mut self.apart,
            s if s < -NEAR => &mut self.deep,
            _ => &mut self.touching,
        };
        *verdict += 1;
        let decade = (share.abs().max(1e-13).log10().floor() + 13.0).clamp(0.0, 13.0) as usize;
        self.decades[usize::from(share > 0.0)][decade] += 1;
    }

    pub fn add(&mut self, other: &Census) {
        self.tried += other.tried;
        self.apart += other.apart;
        self.touching += other.touching;
        self.deep += other.deep;
        self.shared += other.shared;
        self.excess += other.excess;
        self.farthest = self.farthest.max(other.farthest);
        self.slack_used = self.slack_used.max(other.slack_used);
        for (mine, theirs) in self.decades.iter_mut().zip(&other.decades) {
            mine.iter_mut().zip(theirs).for_each(|(m, t)| *m += t);
        }
    }

    pub fn print(&self, name: &str) {
        println!(
            "{name:>22}: {:>7} tried, {:>6} apart, {:>6} touching, {:>6} deep; {:>6} share a point; \
             {:>5} reported without, farthest {:.1e} of the size, {:.2} of the slack",
            self.tried,
            self.apart,
            self.touching,
            self.deep,
            self.shared,
            self.excess,
            self.farthest,
            self.slack_used
        );
    }

    pub fn print_decades(&self) {
        println!("|gap| / size below   overlap     apart");
        for decade in 0..DECADES {
            let (inside, outside) = (self.decades[0][decade], self.decades[1][decade]);
            println!("{:>18} {inside:>9} {outside:>9}", format!("1e{}", decade as i32 - 12));
        }
    }
}
